"""What is generated and what deploys: never imported by what runs."""
