/**
 * Static files and response headers. Invariants: only packed files are served, looked up by name in
 * a table and never on a file system; browsers revalidate every cached file.
 */
@NullMarked
package org.svcmailbox.console.page;

import org.jspecify.annotations.NullMarked;
