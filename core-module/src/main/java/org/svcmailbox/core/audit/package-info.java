/**
 * What operators did. Invariants: an entry is on disk together with what it tells of, and no entry
 * comes to disk after one with a higher number.
 */
@NullMarked
package org.svcmailbox.core.audit;

import org.jspecify.annotations.NullMarked;
