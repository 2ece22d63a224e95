"""Why a recall did not know something, and how something got in: from the event to the line that was served."""
