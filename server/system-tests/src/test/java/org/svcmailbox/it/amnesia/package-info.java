/** The client data that a server leaves on disk, with amnesia and without. */
@NullMarked
package org.svcmailbox.it.amnesia;

import org.jspecify.annotations.NullMarked;
