/**
 * The command line {@code mailbox}: each command is a class, whose options picocli fills.
 *
 * <p>Standard output has JSON lines and nothing else, but for help, the version and the completion
 * script. Messages for people, questions and progress go to the error stream. No option takes a
 * token, and no message shows one.
 */
@NullMarked
package org.svcmailbox.cli;

import org.jspecify.annotations.NullMarked;
