"""Working memory: what one conversation is about right now, in named values that expire."""
