"""Who and where: settings, statuses, labels, people and agents with their keys, projects, crews."""
