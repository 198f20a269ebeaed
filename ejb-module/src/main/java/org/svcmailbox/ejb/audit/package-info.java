/** The audit in the database. Invariant: an entry is written in the transaction it tells of. */
@NullMarked
package org.svcmailbox.ejb.audit;

import org.jspecify.annotations.NullMarked;
