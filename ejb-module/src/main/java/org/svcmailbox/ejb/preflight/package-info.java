/**
 * The checks before the server starts. The start scripts run {@link
 * org.svcmailbox.ejb.preflight.Preflight} on the EAR's jars, without a container: one JVM for all
 * checks.
 */
@NullMarked
package org.svcmailbox.ejb.preflight;

import org.jspecify.annotations.NullMarked;
