/**
 * Killing the server under load, round after round, and judging afterwards what its clients saw and
 * what its ledgers say.
 */
@NullMarked
package org.svcmailbox.it.kill;

import org.jspecify.annotations.NullMarked;
