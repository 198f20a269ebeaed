/**
 * Records operator actions. Invariants: an entry commits together with its action, and entries
 * commit in the order of their numbers.
 */
@NullMarked
package org.svcmailbox.core.audit;

import org.jspecify.annotations.NullMarked;
