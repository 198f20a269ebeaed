/**
 * Search over dead letters. Invariant: the group of a letter depends on its reason and error alone,
 * and is the same on every node and in every version.
 */
@NullMarked
package org.svcmailbox.core.deadletter;

import org.jspecify.annotations.NullMarked;
