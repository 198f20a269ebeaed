/**
 * Checks of envelopes and ledgers without the service. The digests are implemented here a second
 * time, from their description, so that the check shares no code with the service it checks.
 */
@NullMarked
package org.svcmailbox.client.verify;

import org.jspecify.annotations.NullMarked;
