/**
 * What operators and accidents do to a server under load, round after round: killing it, revoking
 * capabilities. Afterwards what the clients saw is judged, and what the ledgers say.
 */
@NullMarked
package org.svcmailbox.it.drill;

import org.jspecify.annotations.NullMarked;
