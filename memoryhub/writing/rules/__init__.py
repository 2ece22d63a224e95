"""The tables of the rule extractor, one module per subject. Each offers `find(statement)`, which yields what it recognises."""
