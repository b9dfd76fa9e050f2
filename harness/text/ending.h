/* How a piece of work ended; commands/ turns it into an exit code. */
#pragma once

enum ending {
    ENDING_DONE,
    ENDING_FAILED,     /* the system refused something: a disk, a lock, a process */
    ENDING_REFUSED,    /* what the user asked for cannot be done this way */
    ENDING_INTERRUPTED /* the user stopped it */
};
