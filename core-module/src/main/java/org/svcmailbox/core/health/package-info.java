/** The health of named parts. Invariant: asking never waits for the broker or the database. */
@NullMarked
package org.svcmailbox.core.health;

import org.jspecify.annotations.NullMarked;
