"""Cleaning, lexical tokens, token counts, values in one form, embedders. No database, no models."""
