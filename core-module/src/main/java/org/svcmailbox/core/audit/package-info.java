/** What operators did. Invariant: an entry is on disk together with what it tells of. */
@NullMarked
package org.svcmailbox.core.audit;

import org.jspecify.annotations.NullMarked;
