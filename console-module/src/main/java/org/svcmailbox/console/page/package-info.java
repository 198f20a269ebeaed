/**
 * The pages themselves, and what every answer says to the browser. Invariants: what is served is
 * what was packed, found by name in a table and never by a path; a browser asks each time whether
 * its copy is still the one.
 */
@NullMarked
package org.svcmailbox.console.page;

import org.jspecify.annotations.NullMarked;
