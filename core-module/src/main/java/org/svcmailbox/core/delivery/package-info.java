/**
 * The calls of the message endpoints: requests, outcomes and refusals. Invariants: an expected
 * outcome is a value, never an exception; an answer follows the commit of its effect.
 */
@NullMarked
package org.svcmailbox.core.delivery;

import org.jspecify.annotations.NullMarked;
