/**
 * Programs that the build runs on the laid-out server. One completes the list of parts, and another
 * removes modules that nothing reaches. Invariant: nothing here is shipped.
 */
@NullMarked
package org.svcmailbox.layout;

import org.jspecify.annotations.NullMarked;
