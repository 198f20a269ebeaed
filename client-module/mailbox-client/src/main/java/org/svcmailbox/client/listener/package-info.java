/**
 * The parts that listeners in a container share, whichever container it is: the method of a
 * listener, the settings of its loop, and its mailboxes over HTTP.
 */
@Experimental
@NullMarked
package org.svcmailbox.client.listener;

import org.jspecify.annotations.NullMarked;
import org.svcmailbox.client.Experimental;
