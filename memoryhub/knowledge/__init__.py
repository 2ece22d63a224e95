"""Documents of domains, teams and projects: read in, cut into passages, published, verified. Recall serves what is in force."""
