"""What people and agents write, attach and group: comments, chat, notes, files, cycles, webhooks."""
