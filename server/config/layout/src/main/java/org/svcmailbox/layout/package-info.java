/**
 * Programs that the build runs on the laid-out server: one completes the list of parts, another
 * removes modules that nothing reaches. Invariant: nothing here ships.
 */
@NullMarked
package org.svcmailbox.layout;

import org.jspecify.annotations.NullMarked;
