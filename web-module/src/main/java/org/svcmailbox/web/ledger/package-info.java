/** Ledger export and verification over HTTP. */
@NullMarked
package org.svcmailbox.web.ledger;

import org.jspecify.annotations.NullMarked;
