/**
 * Traffic of the Java client while its backend is killed and restarted, recorded in a history that
 * the checker of {@link org.svcmailbox.test.history} judges.
 */
@NullMarked
package org.svcmailbox.client.drill;

import org.jspecify.annotations.NullMarked;
