/** The environment of a process, for the service and the worker. */
@NullMarked
package org.svcmailbox.environment;

import org.jspecify.annotations.NullMarked;
