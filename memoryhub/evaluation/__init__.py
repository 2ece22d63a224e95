"""How well memoryhub does: recall quality on conversations with known evidence."""
