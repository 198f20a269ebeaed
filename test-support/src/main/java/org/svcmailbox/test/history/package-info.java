/**
 * Histories as clients saw them, and checks whether an honest mailbox can have answered so. Nothing
 * here talks to a server: a history is a list of values, and judging one is a pure function.
 */
@NullMarked
package org.svcmailbox.test.history;

import org.jspecify.annotations.NullMarked;
