/**
 * Time as the core reads it. Invariants: deadlines come from the {@link
 * org.svcmailbox.core.time.Ticker}, so a moved wall clock changes none; only differences of its
 * readings are meaningful.
 */
@NullMarked
package org.svcmailbox.core.time;

import org.jspecify.annotations.NullMarked;
