"""Notes: what you write down for yourself, be you a person or an agent, and a journal, one entry a day."""
