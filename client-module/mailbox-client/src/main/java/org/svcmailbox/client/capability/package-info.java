/**
 * Capabilities as their holders use them: read, inspected and narrowed without the service. The
 * format is implemented here a second time, from its description, and shares no code with the
 * service.
 */
@NullMarked
package org.svcmailbox.client.capability;

import org.jspecify.annotations.NullMarked;
