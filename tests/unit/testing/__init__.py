"""The fakes keep the promises that tests rely on."""
