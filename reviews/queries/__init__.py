"""Everything the desk reads, one file per page. Each function opens its own scope and returns plain, finished data."""
