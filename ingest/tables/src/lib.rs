//! Every column of every table, declared once.
//!
//! This crate will hold the tables as types: each column with its name, its type, whether it may be null, and the
//! sentence that describes it. Writers, readers and the data dictionary take them from here.
//!
//! What holds here:
//!
//! - A column's name stands in this crate and in SQL, nowhere else. The data dictionary is made from it, and a test
//!   compares the two.
//! - It needs Arrow and Parquet and nothing above them: no archive, no query engine, no rule of robots.txt.
//! - Only types that all the usual readers of Parquet agree on: no unsigned integers, times in UTC milliseconds, text
//!   in UTF-8.
