/**
 * The command line. Each command prints one JSON object a line, and its exit code says the rest.
 */
@NullMarked
package org.svcmailbox.worker.command;

import org.jspecify.annotations.NullMarked;
