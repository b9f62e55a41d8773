//! Compares two readers of archives: on the corpus, on crafted members, and on any bytes.

mod corpus;
mod crafted;
mod damage;
mod hostile;
mod one_place;
mod walk;
