/** The sources of the settings, read once. A bad value fails the deployment and names its key. */
@NullMarked
package org.svcmailbox.ejb.settings;

import org.jspecify.annotations.NullMarked;
