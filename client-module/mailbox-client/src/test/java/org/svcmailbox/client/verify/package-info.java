/** Digests and ledgers against the vectors that the service is tested with. */
@NullMarked
package org.svcmailbox.client.verify;

import org.jspecify.annotations.NullMarked;
