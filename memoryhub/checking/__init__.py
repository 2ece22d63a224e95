"""Checking what an agent is about to say or do against memory: reads as the write path does, looks up as recall does."""
