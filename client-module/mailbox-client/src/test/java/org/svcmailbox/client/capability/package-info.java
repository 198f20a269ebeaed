/** Capabilities against the vectors that the service is tested with. */
@NullMarked
package org.svcmailbox.client.capability;

import org.jspecify.annotations.NullMarked;
