/** The command line against a service in the same process. */
@NullMarked
package org.svcmailbox.cli;

import org.jspecify.annotations.NullMarked;
