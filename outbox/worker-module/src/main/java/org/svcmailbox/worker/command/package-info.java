/**
 * The command line. Each command prints one JSON object per line, and reports success or failure by
 * its exit code.
 */
@NullMarked
package org.svcmailbox.worker.command;

import org.jspecify.annotations.NullMarked;
