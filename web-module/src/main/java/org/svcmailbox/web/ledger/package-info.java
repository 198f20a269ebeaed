/** The ledgers over HTTP: to export them, and to have them checked. */
@NullMarked
package org.svcmailbox.web.ledger;

import org.jspecify.annotations.NullMarked;
