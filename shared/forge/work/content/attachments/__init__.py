"""Files and links that hang on something: what they are, how they are stored, and what room they take."""
