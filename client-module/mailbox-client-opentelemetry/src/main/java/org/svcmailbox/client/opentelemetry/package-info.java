/** Measurements of worker loops for OpenTelemetry. */
@NullMarked
package org.svcmailbox.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
