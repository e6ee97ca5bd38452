/** In place of a library that makes up for old browsers. */
module.exports = Object.entries
