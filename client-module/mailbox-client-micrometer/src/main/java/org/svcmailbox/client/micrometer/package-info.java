/** Meters of worker loops for Micrometer. */
@NullMarked
package org.svcmailbox.client.micrometer;

import org.jspecify.annotations.NullMarked;
