/**
 * How the service says whether it works: named parts, and what stops working with each. Invariant:
 * asking never waits for the broker or the database.
 */
@NullMarked
package org.svcmailbox.core.health;

import org.jspecify.annotations.NullMarked;
