"""What owners share: links to teams, projects and domains, and what is proposed to them."""
