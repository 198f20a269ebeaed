/**
 * Kills, revocations and other accidents of a server under load, round after round. Afterwards what
 * the clients saw is judged, and what the ledgers say.
 */
@NullMarked
package org.svcmailbox.it.drill;

import org.jspecify.annotations.NullMarked;
